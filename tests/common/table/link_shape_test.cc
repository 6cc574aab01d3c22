#include "common/table/link_shape.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/table/link_rows.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace slice {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class LinkShapeTest : public testing::Test {
 protected:
  // The rows as "relation(source,target)", each followed by a blank; or the
  // error.
  std::string Read(std::string_view text) {
    LineReader lines(text);
    auto shape = RecogniseLinks("f", options_, &lines);
    if (!shape.ok()) return std::string(shape.status().message());
    shape_ = *shape;
    LinkRowParser rows(*shape);
    std::string read;
    LinkRow row;
    while (const auto line = lines.Next()) {
      if (const auto error = rows.Parse(*line, &row))
        return absl::StrCat(line->number, ": ", error->reason);
      absl::StrAppend(&read, std::string(row.relation.text), "(",
                      std::string(row.source.text), ",",
                      std::string(row.target.text), ") ");
    }
    return read;
  }
  // Rows by a pattern: $ is the number of the row.
  static std::string Rows(int count, const std::string& pattern) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      for (const char c : pattern)
        absl::StrAppend(&text, c == '$' ? absl::StrCat(i) : std::string(1, c));
      text += '\n';
    }
    return text;
  }

  LinkShapeOptions options_;
  LinkShape shape_;
};

TEST_F(LinkShapeTest, PlainFilesAreReadAsEver) {
  EXPECT_EQ(Read("r a b\nq c d\n"), "r(a,b) q(c,d) ");
  EXPECT_EQ(shape_.recognised,
            "f: blanks, no header; the columns are relation, source, target");
}

TEST_F(LinkShapeTest, AHeaderNamesTheColumns) {
  EXPECT_EQ(Read("\xEF\xBB\xBF"
                 "from,to,type,mood\r\nA,\"B, C\",knows,good\r\n"),
            "knows(A,B, C) ");
  EXPECT_EQ(shape_.recognised,
            "f: commas and quotes, a header; \"from\" is the source, \"to\" is "
            "the target, \"type\" is the relation, not used: \"mood\"");
  EXPECT_EQ(Read("subject;predicate;object\na;r;b\n"), "r(a,b) ");
  EXPECT_EQ(Read("relation\tsource\ttarget\nr\ta\tb\n"), "r(a,b) ");
  EXPECT_EQ(Read("source,target,weight,time\na,b,2,2020-01-01\n"),
            "link(a,b) ");
  EXPECT_EQ(shape_.columns.ToString(), "source,target,weight,time");
  EXPECT_THAT(shape_.recognised,
              HasSubstr("every link has the relation \"link\""));
}

TEST_F(LinkShapeTest, TwoColumnsAreSourceAndTarget) {
  EXPECT_EQ(Read("a,b\nc,d\n"), "link(a,b) link(c,d) ");
  EXPECT_EQ(Read("a b\nc d\n"), "link(a,b) link(c,d) ");
  EXPECT_EQ(Read("user_id,item_id\na,b\n"), "link(a,b) ");
  EXPECT_EQ(Read("user,item\n1,2\n"), "link(1,2) ");
}

TEST_F(LinkShapeTest, AWordOfHeadersMayBeAKey) {
  // "from" is the source of two links, so it is no header.
  EXPECT_EQ(Read("before from to\nafter from x\n"),
            "before(from,to) after(from,x) ");
  EXPECT_EQ(Read("is-a object entity\nis-a dog object\n"),
            "is-a(object,entity) is-a(dog,object) ");
}

TEST_F(LinkShapeTest, ARepeatedHeaderIsNoLink) {
  EXPECT_EQ(Read("from,to\na,b\nfrom,to\nc,d\n"),
            "3: this line repeats the first one, which is read as a header; "
            "remove it, or give --format no-header if both are links");
}

TEST_F(LinkShapeTest, ARowThatSharesAFieldWithOthersIsNoHeader) {
  EXPECT_EQ(Read("depends,curl,libcurl4\ndepends,2048,libc6\n"),
            "depends(curl,libcurl4) depends(2048,libc6) ");
  EXPECT_EQ(Read("curl,depends\ncurl,depends\n"),
            "link(curl,depends) link(curl,depends) ");
  // A header may be repeated, and then shares its fields with that line alone.
  EXPECT_THAT(Read("who,how,many\nann,knows,2\nwho,how,many\n"),
              HasSubstr("3: this line repeats the first one"));
}

TEST_F(LinkShapeTest, ARowWithAKnownRelationIsNoHeader) {
  options_.relations = KnownRelations({"depends", "link"});
  EXPECT_EQ(Read("depends,curl,libcurl4\nlink,2048,libc6\n"),
            "depends(curl,libcurl4) link(2048,libc6) ");
  EXPECT_EQ(Read("from,link,to\na,link,b\n"), "link(a,b) ");
}

TEST_F(LinkShapeTest, ALabelThatIsNoNumberIsTheRelation) {
  EXPECT_EQ(Read("source,target,label\na,b,knows\n"), "knows(a,b) ");
  EXPECT_EQ(Read("source,target,label\na,b,1\n"), "link(a,b) ");
  EXPECT_TRUE(shape_.columns.label().has_value());
}

TEST_F(LinkShapeTest, LabelsMayFollowInHeldOutFiles) {
  options_.may_have_label = true;
  EXPECT_EQ(Read("r a b 1\nr a c 0\n"), "r(a,b) r(a,c) ");
  options_.usual = *LinkColumns::Parse("source,target");
  EXPECT_EQ(Read("a b 1\nc d 0\n"), "link(a,b) link(c,d) ");
  EXPECT_EQ(Read("from,to,label\na,b,0\n"), "link(a,b) ");
}

TEST_F(LinkShapeTest, FlagsWin) {
  options_.columns = *LinkColumns::Parse("source,target,relation");
  EXPECT_EQ(Read("a,b,r\nc,d,r\n"), "r(a,b) r(c,d) ");
  EXPECT_EQ(Read("from,to,kind\na,b,r\n"), "r(a,b) ");
  options_.format.header = true;
  EXPECT_EQ(Read("x,y,z\na,b,r\n"), "r(a,b) ");
  options_.format.header = false;
  EXPECT_EQ(Read("from,to,kind\na,b,r\n"), "kind(from,to) r(a,b) ");
}

TEST_F(LinkShapeTest, UnknownShapesShowTheFirstLineAndTheFlag) {
  EXPECT_EQ(
      Read("user_id,movie_id,rating\n1,2,5\n"),
      "f: no column is called source or target. The first line is "
      "\"user_id,movie_id,rating\", read with commas as a header. Name the "
      "columns with --columns, such as --columns source,target,_ (_ skips a "
      "column)");
  EXPECT_THAT(Read("a,b,c,d,e\nf,g,h,i,j\n"),
              AllOf(HasSubstr("it is unknown what the 5 columns hold"),
                    HasSubstr("\"a,b,c,d,e\", read with commas and no header"),
                    HasSubstr("--columns source,relation,target,_,_")));
  EXPECT_THAT(Read("a|b|c\n"),
              AllOf(HasSubstr("two columns at least"), HasSubstr("--format")));
}

TEST_F(LinkShapeTest, AFirstColumnThatIsNoRelationIsRefused) {
  const std::string rows = Rows(40, "person$ likes thing$");
  EXPECT_THAT(Read(rows),
              AllOf(HasSubstr("the first column has 40 values in 40 rows and "
                              "column 2 has 1"),
                    HasSubstr("--columns source,relation,target")));
  options_.columns = *LinkColumns::Parse("source,relation,target");
  EXPECT_THAT(Read(rows), HasSubstr("likes(person0,thing0)"));
}

TEST_F(LinkShapeTest, NodesInTheFirstColumnAreNoRelations) {
  // Few nodes with many links, as in small knowledge graphs.
  std::string sentences, usual, flipped;
  for (int i = 0; i < 60; ++i) {
    const std::string u = absl::StrCat("n", i % 9);
    const std::string v = absl::StrCat("n", (i * 7 + 3) % 10);
    const std::string r = absl::StrCat("r", i % 4);
    absl::StrAppend(&sentences, u, " ", r, " ", v, "\n");
    absl::StrAppend(&usual, r, " ", u, " ", v, "\n");
    absl::StrAppend(&flipped, u, " ", v, " ", r, "\n");
  }
  EXPECT_THAT(Read(sentences),
              AllOf(HasSubstr("the first column and column 3 hold the same "
                              "values, and column 2 holds others"),
                    HasSubstr("--columns source,relation,target")));
  EXPECT_THAT(Read(flipped), HasSubstr("--columns source,target,relation"));
  EXPECT_THAT(Read(usual), HasSubstr("r0(n0,n3)"));
  EXPECT_THAT(Read("bob likes cy\ncy knows ann\nann likes bob\ncy likes ann\n"),
              HasSubstr("--columns source,relation,target"));
}

TEST_F(LinkShapeTest, AHeaderThatNamesAllButTheEndsIsOne) {
  const std::string people = Rows(30, "person$,likes,\"item, $\",2020-03-01");
  EXPECT_THAT(Read("who,relationship,whom or what,since\n" + people),
              HasSubstr("likes(person0,item, 0) "));
  EXPECT_EQ(shape_.columns.ToString(), "source,relation,target,time");
  EXPECT_EQ(shape_.recognised,
            "f: commas and quotes, a header; \"who\" is the source, "
            "\"relationship\" is the relation, \"whom or what\" is the "
            "target, \"since\" is the time");
  EXPECT_THAT(Read("person,type,thing\n" + Rows(30, "p$,likes,t$")),
              HasSubstr("likes(p0,t0) "));
  options_.columns = *LinkColumns::Parse("source,relation,target,_");
  EXPECT_THAT(Read("fan,verb,star,born\n" + people),
              HasSubstr("likes(person0,item, 0) "));
}

TEST_F(LinkShapeTest, AColumnOfFewValuesIsTheRelationBelowAHeader) {
  EXPECT_THAT(Read("Who,How connected,With whom or what,Since\n" +
                   Rows(30, "person$,knows,thing$,2020-03-01")),
              HasSubstr("knows(person0,thing0) "));
  EXPECT_EQ(shape_.columns.ToString(), "source,relation,target,time");
  EXPECT_THAT(Read("Date;Person;Action;Thing\n" +
                   Rows(30, "2020-03-01;person$;knows;thing$")),
              HasSubstr("knows(person0,thing0) "));
  EXPECT_THAT(Read("Who,Action,What,Noted on\n" +
                   Rows(30, "person$,knows,thing$,2020-03-01")),
              HasSubstr("knows(person0,thing0) "));
  // Behind the ends the column may say something else.
  const std::string behind =
      "Who,What,Place\n" + Rows(30, "person$,thing$,Berlin");
  EXPECT_THAT(Read(behind),
              AllOf(HasSubstr("the column \"Place\" may be the relation"),
                    HasSubstr("Give --columns source,target,relation if it "
                              "is, or --columns source,target,_ to")));
  options_.columns = *LinkColumns::Parse("source,target,_");
  EXPECT_THAT(Read(behind), HasSubstr("link(person0,thing0) "));
  options_.columns.reset();
  // Numbers are no relations.
  EXPECT_THAT(Read("buyer,item,stars\n" + Rows(30, "person$,thing$,5")),
              HasSubstr("link(person0,thing0)"));
}

TEST_F(LinkShapeTest, DatesAndNumbersAreNoEndsWhereThereIsMore) {
  EXPECT_THAT(Read("Who or what,Connection,With what,Noted on,Times\n" +
                   Rows(30, "cook$,uses,\"thing, $\",2020-03-01,7")),
              HasSubstr("uses(cook0,thing, 0)"));
  EXPECT_EQ(shape_.columns.ToString(), "source,relation,target,time,_");
  EXPECT_THAT(Read("one,two,three,four\n" + Rows(30, "a$,b$,c$,2020-03-01")),
              HasSubstr("no column is called source or target"));
}

TEST_F(LinkShapeTest, KnownRelationsTellColumnsAndHeader) {
  options_.relations = KnownRelations({"has cooked", "sold at"});
  options_.may_have_label = true;
  const std::string rows = "ann,has cooked,soup\nsoup,sold at,shop\n";
  EXPECT_THAT(Read("Who,Connection,What\n" + rows),
              HasSubstr("has cooked(ann,soup) sold at(soup,shop)"));
  EXPECT_THAT(Read(rows), HasSubstr("has cooked(ann,soup) sold at(soup,shop)"));
  EXPECT_EQ(shape_.columns.ToString(), "source,relation,target");
  EXPECT_THAT(Read("ann,has coked,soup\n" + rows),  // no header: a mistake
              HasSubstr("has coked(ann,soup) has cooked(ann,soup)"));
  EXPECT_THAT(Read("ann,soup,has cooked,1\nbob,stew,has cooked,0\n"),
              HasSubstr("has cooked(ann,soup)"));
  EXPECT_EQ(shape_.columns.ToString(), "source,target,relation,label");
  EXPECT_THAT(Read("has cooked,ann,soup\n"), HasSubstr("has cooked(ann,soup)"));
  // Nothing is known of these: the usual columns.
  EXPECT_THAT(Read("likes,ann,soup\n"), HasSubstr("likes(ann,soup)"));
}

TEST_F(LinkShapeTest, AHeaderOfTwoColumnsIsAskedAbout) {
  std::string rows = "Employee,Skill or project\n";
  for (int i = 0; i < 150; ++i)
    absl::StrAppend(&rows, "person", i % 70, ",skill", i % 30, "\n");
  EXPECT_THAT(Read(rows), HasSubstr("may be a header or a link"));
  options_.format.header = true;
  EXPECT_THAT(Read(rows), HasSubstr("link(person0,skill0)"));
}

TEST_F(LinkShapeTest, AHeaderBetweenTabsIsAskedAbout) {
  std::string rows = "Drug\tDisease\n";
  for (int i = 0; i < 150; ++i)
    absl::StrAppend(&rows, "drug", i % 70, "\tpain ", i % 30, "\n");
  EXPECT_THAT(Read(rows), HasSubstr("may be a header or a link"));
  options_.format.header = true;
  EXPECT_THAT(Read(rows), HasSubstr("link(drug0,pain 0)"));
  options_.format.header.reset();
  EXPECT_THAT(Read("how\tdrug\tdisease\n" + Rows(30, "cures\tdrug $\tpain $")),
              HasSubstr("may be a header or a link"));
  // A relation may be called as a column is, so this is asked about as well.
  EXPECT_THAT(Read("type\tdrug\tclass\n" + Rows(30, "cures\td $\tpain $")),
              HasSubstr("may be a header or a link"));
  EXPECT_THAT(Read("cures\tdrug\tpain\n" + Rows(30, "cures\td $\tpain $")),
              HasSubstr("cures(drug,pain) cures(d 0,pain 0)"));
}

TEST_F(LinkShapeTest, TimesCalledAsEndsAreAskedAbout) {
  const std::string text =
      "user_id,item_id,start,end\n" + Rows(30, "u$,i$,16$,2020-03-01");
  EXPECT_THAT(Read(text),
              AllOf(HasSubstr("called as source and target hold numbers or "
                              "dates, and others are called as keys"),
                    HasSubstr("--columns source,target,_,_")));
  options_.columns = *LinkColumns::Parse("source,target,_,_");
  EXPECT_THAT(Read(text), HasSubstr("link(u0,i0) "));
  options_.columns.reset();
  // Ids of nodes, with their names beside them.
  EXPECT_THAT(
      Read("from,to,from_name,to_name\n" + Rows(30, "1$,2$,person$,item$")),
      HasSubstr("link(10,20) "));
  EXPECT_THAT(Read("start,end,trip_id\n" + Rows(30, "1$,2$,3$")),
              HasSubstr("link(10,20) "));
}

TEST_F(LinkShapeTest, AdvicePutsTheRelationWhereFewValuesAre) {
  EXPECT_THAT(Read("fan,how,star,note\n" + Rows(30, "person$,likes,thing$,n$")),
              AllOf(HasSubstr("\"fan,how,star,note\", read with commas and no "
                              "header"),
                    HasSubstr("--columns source,relation,target,_ (_ skips a "
                              "column), and add --format header if")));
}

TEST_F(LinkShapeTest, AColumnThatLacksIsNamed) {
  EXPECT_THAT(Read("from,type,since\na,likes,2020-01-01\n"),
              AllOf(HasSubstr("no column is called target"),
                    HasSubstr("needs a column for its target")));
  options_.columns = *LinkColumns::Parse("source,relation,target");
  options_.format = {.separator = Separator::kComma, .header = true};
  EXPECT_THAT(Read("from;type;to\na;b;c\n"),
              AllOf(HasSubstr("--columns names 3 columns, and there is 1"),
                    HasSubstr("say which with --format")));
}

TEST_F(LinkShapeTest, AFirstLineThatMayBeAHeaderIsAskedAbout) {
  const std::string rows = "how,person,item\n" + Rows(30, "likes,Ann,item$");
  EXPECT_THAT(Read(rows), HasSubstr("may be a header or a link. The first line "
                                    "is \"how,person,item\""));
  options_.columns = LinkColumns();
  EXPECT_THAT(Read(rows), HasSubstr("may be a header or a link"));
  options_.format.header = false;
  EXPECT_THAT(Read(rows), HasSubstr("how(person,item) likes(Ann,item0)"));
}

}  // namespace
}  // namespace slice
